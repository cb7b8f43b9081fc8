use std::collections::{BTreeMap, HashSet};
use std::io::{read_to_string, stdin};

fn solve(words: &[&str]) -> Option<Vec<usize>> {
    let there: HashSet<&str> = words.iter().copied().collect();
    let mut kinds: BTreeMap<(char, char), Vec<usize>> = BTreeMap::new();
    for (i, word) in words.iter().enumerate() {
        let ends = (word.chars().next()?, word.chars().last()?);
        kinds.entry(ends).or_default().push(i);
    }
    let loops = kinds.keys().filter(|(first, last)| first == last).count();
    let mut sides = [('0', '1'), ('1', '0')].map(|ends| kinds.remove(&ends).unwrap_or_default());
    sides.sort_by_key(|side| std::cmp::Reverse(side.len()));
    let [more, less] = sides;
    if more.is_empty() {
        return (loops < 2).then(Vec::new);
    }
    let need = (more.len() - less.len()) / 2;
    let is_free = |i: &usize| !there.contains(words[*i].chars().rev().collect::<String>().as_str());
    let can: Vec<usize> = more.into_iter().filter(is_free).map(|i| i + 1).take(need).collect();
    (can.len() == need).then_some(can)
}

fn main() {
    let input = read_to_string(stdin()).unwrap();
    let mut tokens = input.split_whitespace();
    for _ in 0..tokens.next().unwrap().parse().unwrap() {
        let n = tokens.next().unwrap().parse().unwrap();
        let words: Vec<&str> = tokens.by_ref().take(n).collect();
        match solve(&words) {
            None => println!("-1"),
            Some(answer) => {
                let shown: Vec<String> = answer.iter().map(usize::to_string).collect();
                println!("{}\n{}", shown.len(), shown.join(" "));
            }
        }
    }
}
