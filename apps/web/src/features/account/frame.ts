/** What a square shows of a picture: how much nearer than as much as fits, and where its middle is, in shares. */
export type Frame = { readonly zoom: number; readonly x: number; readonly y: number }
export type Size = { readonly width: number; readonly height: number }

export const middleFrame: Frame = { zoom: 1, x: 0.5, y: 0.5 }
/** Nearer than this nobody is known by a face. */
export const mostZoom = 4

/** The square of the picture that is shown, in its pixels; never beyond an edge. */
export function cutOf(
  size: Size,
  frame: Frame,
): { readonly left: number; readonly top: number; readonly side: number } {
  const { zoom, x, y } = kept(size, frame)
  const side = Math.min(size.width, size.height) / zoom
  return { left: x * size.width - side / 2, top: y * size.height - side / 2, side }
}

/** The picture is pushed so far, in sides of the square: what is shown goes the other way. */
export function pushed(size: Size, frame: Frame, by: { readonly x: number; readonly y: number }): Frame {
  const { side } = cutOf(size, frame)
  const { zoom, x, y } = kept(size, frame)
  return kept(size, { zoom, x: x - (by.x * side) / size.width, y: y - (by.y * side) / size.height })
}

/** The frame with another zoom or middle, as far as the picture reaches. */
export function changed(size: Size, frame: Frame, change: Partial<Frame>): Frame {
  return kept(size, { ...frame, ...change })
}

/** How far the middle can go from an edge, in shares: half of what is shown. */
export function roomOf({ width, height }: Size, { zoom }: Pick<Frame, 'zoom'>): Pick<Frame, 'x' | 'y'> {
  const side = Math.min(width, height) / zoom
  return { x: side / 2 / width, y: side / 2 / height }
}

function kept(size: Size, frame: Frame): Frame {
  const zoom = within(frame.zoom, 1, mostZoom)
  const room = roomOf(size, { zoom })
  return { zoom, x: within(frame.x, room.x, 1 - room.x), y: within(frame.y, room.y, 1 - room.y) }
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))
