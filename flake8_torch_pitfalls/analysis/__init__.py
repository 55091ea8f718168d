"""What a rule may ask about a file: names, kinds, flow, events, values."""
