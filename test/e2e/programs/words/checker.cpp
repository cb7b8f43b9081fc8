// Any set of words to reverse, as long as it is as small as the jury's and the words can be played then.
#include <algorithm>
#include <set>
#include <string>
#include <vector>
#include "testlib.h"

using namespace std;

static int readCount(InStream &in, int n) { return in.readInt(-1, n, "k"); }

static void checkGame(InStream &in, vector<string> words, int k) {
	set<int> chosen;
	for (int i = 0; i < k; i++) {
		int at = in.readInt(1, (int)words.size(), "index");
		if (!chosen.insert(at).second) in.quitf(_wa, "word %d is reversed twice", at);
		reverse(words[at - 1].begin(), words[at - 1].end());
	}
	if (set<string>(words.begin(), words.end()).size() != words.size())
		in.quitf(_wa, "two words are the same now");
	int up = 0, down = 0, zeros = 0, ones = 0;
	for (const string &word : words) {
		if (word[0] == '0') (word.back() == '1' ? up : zeros)++;
		else (word.back() == '0' ? down : ones)++;
	}
	if (abs(up - down) > 1) in.quitf(_wa, "%d words from 0 to 1, %d from 1 to 0", up, down);
	if (up + down == 0 && zeros > 0 && ones > 0) in.quitf(_wa, "nothing joins the words");
}

int main(int argc, char **argv) {
	registerTestlibCmd(argc, argv);
	int t = inf.readInt();
	for (int test = 1; test <= t; test++) {
		setTestCase(test);
		int n = inf.readInt();
		vector<string> words(n);
		for (string &word : words) word = inf.readToken();
		int jury = readCount(ans, n);
		if (jury >= 0) checkGame(ans, words, jury);
		int program = readCount(ouf, n);
		if (program >= 0) checkGame(ouf, words, program);
		if (program >= 0 && (jury < 0 || program < jury))
			quitf(_fail, "the program has %d, the jury %d", program, jury);
		if (program != jury) quitf(_wa, "%d reversals, %d suffice", program, jury);
	}
	quitf(_ok, "%d tests", t);
}
