/** Counts what one connection sends in windows of time; false from the first that is too many. */
export function createFrameCount(limit: number, windowMs: number): () => boolean {
  let startedAt = performance.now()
  let count = 0
  return () => {
    const now = performance.now()
    if (now - startedAt >= windowMs) [startedAt, count] = [now, 0]
    count += 1
    return count <= limit
  }
}
