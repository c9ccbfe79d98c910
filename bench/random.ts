/** Makes a function that returns numbers in [0, 1), always the same for a seed (mulberry32, by Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A random Poisson count (Knuth's algorithm). Large means are drawn in parts, so that the exponential does not underflow. */
export function poisson(mean: number, random: () => number): number {
  if (mean > 30) return poisson(30, random) + poisson(mean - 30, random)
  const end = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > end; product *= random()) count++
  return count
}
