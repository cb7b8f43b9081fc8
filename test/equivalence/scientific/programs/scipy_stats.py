import numpy as np
from scipy import stats

print(stats.norm.cdf([-1, 0, 1]), stats.ttest_ind([1, 2, 3], [2, 3, 5]), stats.linregress([1, 2, 3], [2, 4, 7]))
print(stats.norm.rvs(size=3, random_state=5), stats.pearsonr([1, 2, 3], [1, 2, 4]).statistic)
np.random.seed(3)
print(stats.poisson.rvs(4, size=5), stats.describe([1, 2, 3, 4]))
