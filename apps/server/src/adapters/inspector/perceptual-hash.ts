/** Side of the square picture that is hashed. */
const side = 32
const low = 8
/**
 * Side of the square grey picture everything is computed from: whole, 9/10 and 4/5 of it divide into 32 equal cells or
 * nearly.
 */
export const graySide = 160

/** Below it there is nothing to tell one picture from another: a covered lens, a blank page. */
const flatDeviation = 2.5

export type ImageHashes = { readonly phash: string; readonly variants: readonly string[] }

/**
 * 64-bit perceptual hashes of a picture and of what one makes of it to hide where it is from: its mirror image, three
 * turns, the middle 90 % and the middle 80 %. Null when the picture is too flat to be told from another.
 *
 * @param gray 160 x 160 grey values, the picture stretched to the square; turning then only moves cells
 */
export function hashImage(gray: Uint8Array): ImageHashes | null {
  const whole = shrink(gray, 0)
  if (deviation(whole) < flatDeviation) return null
  const quarter = turn(whole)
  const half = turn(quarter)
  const variants = [mirror(whole), quarter, half, turn(half), shrink(gray, graySide / 20), shrink(gray, graySide / 10)]
  return { phash: perceptualHash(whole), variants: variants.map(perceptualHash) }
}

/** How many of 64 bits differ. */
export function hammingDistance(a: string, b: string): number {
  let count = 0
  for (let bits = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); bits > 0n; bits &= bits - 1n) count++
  return count
}

/** Signs of the lowest frequencies against their median: what survives scaling, compression and light. */
function perceptualHash(cells: Float64Array): string {
  const frequencies = transform(transpose(transform(cells), side, low))
  const sorted = frequencies.toSorted()
  const median = ((sorted[(low * low) / 2 - 1] ?? 0) + (sorted[(low * low) / 2] ?? 0)) / 2
  let hash = 0n
  for (const value of frequencies) hash = (hash << 1n) | (value > median ? 1n : 0n)
  return hash.toString(16).padStart(16, '0')
}

/** DCT-II of each row of 32, frequencies 1 to 8: the zeroth is the light the picture was taken in. */
function transform(cells: Float64Array): Float64Array {
  const count = cells.length / side
  const out = new Float64Array(count * low)
  for (let row = 0; row < count; row++) {
    for (let frequency = 0; frequency < low; frequency++) {
      let sum = 0
      for (let at = 0; at < side; at++) sum += cell(cells, row * side + at) * cell(cosines, frequency * side + at)
      out[row * low + frequency] = sum
    }
  }
  return out
}

const cosines = Float64Array.from({ length: low * side }, (_, index) =>
  Math.cos(((2 * (index % side) + 1) * (Math.floor(index / side) + 1) * Math.PI) / (2 * side)),
)

/** Means over the cells of a 32 x 32 grid, `margin` pixels from each edge. */
function shrink(gray: Uint8Array, margin: number): Float64Array {
  const step = (graySide - 2 * margin) / side
  const edge = (index: number): number => margin + Math.round(index * step)
  return Float64Array.from({ length: side * side }, (_, index) => {
    const [left, top] = [index % side, Math.floor(index / side)]
    let sum = 0
    for (let y = edge(top); y < edge(top + 1); y++)
      for (let x = edge(left); x < edge(left + 1); x++) sum += gray[y * graySide + x] ?? 0
    return sum / ((edge(top + 1) - edge(top)) * (edge(left + 1) - edge(left)))
  })
}

function transpose(cells: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from(cells, (_, index) => cell(cells, (index % rows) * columns + Math.floor(index / rows)))
}

function mirror(cells: Float64Array): Float64Array {
  return Float64Array.from(cells, (_, index) =>
    cell(cells, Math.floor(index / side) * side + side - 1 - (index % side)),
  )
}

/** A quarter turn. */
function turn(cells: Float64Array): Float64Array {
  return mirror(transpose(cells, side, side))
}

function deviation(cells: Float64Array): number {
  const mean = cells.reduce((sum, value) => sum + value, 0) / cells.length
  return Math.sqrt(cells.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cells.length)
}

function cell(cells: Float64Array, index: number): number {
  return cells[index] ?? 0
}
