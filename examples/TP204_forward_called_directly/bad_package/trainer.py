from .base import Base


class Student(Base):
    pass


class Trainer:
    def __init__(self, width):
        self.student = Student(width)

    def loss(self, x, y):
        return (self.student.forward(x) - y).pow(2).mean()  # expect: TP204:17
