print('running', __name__)
if __name__ == '__main__':
    import main
    print(main.__name__, main.__file__, main.__spec__.origin, main.__cached__)
