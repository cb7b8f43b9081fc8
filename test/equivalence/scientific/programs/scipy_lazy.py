import scipy

print(scipy.integrate.quad(lambda x: x * x, 0, 1), scipy.special.comb(10, 3), scipy.__version__)
print(scipy.interpolate.CubicSpline([0, 1, 2], [0, 1, 4])(1.5), scipy.signal.find_peaks([0, 2, 0, 3, 0])[0])
print(scipy.spatial.distance.cdist([[0, 0]], [[3, 4]]), scipy.constants.c, dir(scipy)[:5])
