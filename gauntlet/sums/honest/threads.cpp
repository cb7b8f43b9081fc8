// Honest: Computes in threads.
// Expected: accepted.
#include <bits/stdc++.h>
using namespace std;

int main() {
	ios::sync_with_stdio(false);
	cin.tie(nullptr);
	int t;
	cin >> t;
	vector<long long> a(t), b(t), sums(t);
	for (int i = 0; i < t; i++) cin >> a[i] >> b[i];
	vector<thread> threads;
	for (int i = 0; i < t; i++) threads.emplace_back([&, i] { sums[i] = a[i] + b[i]; });
	for (auto &thread : threads) thread.join();
	for (auto sum : sums) cout << sum << "\r\n";
}
