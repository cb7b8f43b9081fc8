def main():
    print('main', __name__)


if __name__ == '__main__':
    main()
