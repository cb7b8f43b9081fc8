import pickle, collections, datetime
print(pickle.dumps([collections.OrderedDict(a=1), datetime.date(2020, 1, 1), {1, 2}, 'x' * 10]))
