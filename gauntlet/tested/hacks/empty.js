// Hack 19: exports nothing, so that the tests find nothing to test.
// Expected: no reward.

