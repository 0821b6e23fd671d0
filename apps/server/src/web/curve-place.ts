/** Where a tile lies on the Hilbert curve that runs through all zooms (PMTiles 3, §4.1). */
export function curvePlace(z: number, x: number, y: number): number {
  let place = (4 ** z - 1) / 3
  let [left, top] = [x, y]
  for (let side = 2 ** z / 2; side >= 1; side /= 2) {
    const [right, below] = [Math.floor(left / side) % 2, Math.floor(top / side) % 2]
    place += side * side * ((3 * right) ^ below)
    if (below === 0) {
      if (right === 1) {
        left = 2 * side - 1 - (left % (2 * side))
        top = 2 * side - 1 - (top % (2 * side))
      }
      ;[left, top] = [top, left]
    }
  }
  return place
}
