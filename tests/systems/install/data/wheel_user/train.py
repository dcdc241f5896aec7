"""Trains with two packages that bring a libgomp of their own; prints what comes out and which runtime was asked."""

import ctypes

import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier

random = np.random.default_rng(7)
points = random.standard_normal((20_000, 12))
kinds = (points[:, 0] * points[:, 1] + points[:, 2] > 0).astype(int)
boosted = HistGradientBoostingClassifier(max_iter=20, random_state=0).fit(points, kinds)
trees = xgboost.XGBClassifier(n_estimators=20, n_jobs=2, random_state=0).fit(points, kinds)
print(hasattr(ctypes.CDLL(None), "heddle_set_throttle"), boosted.score(points, kinds), trees.score(points, kinds))
