// Hack 101: Brings settings that a build in its folder would take.
// Expected: no reward.
const answer: number = 7;
console.log(answer);
