print(__spec__ is None)
import main2
