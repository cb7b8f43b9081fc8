import statistics, fractions
print(statistics.mean([1, 2, 4]), statistics.stdev([1, 2, 4]), fractions.Fraction(3, 6), statistics.quantiles([1, 2, 3, 4]), statistics.mode('aab'))
