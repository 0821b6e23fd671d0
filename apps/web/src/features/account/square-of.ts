import { cutOf, type Frame } from './frame.ts'

/** Twice what is kept, so that nothing is drawn twice too small. */
export const squareSide = 512
/** The longer side of what is kept open while the person looks: as near as it goes, the square has all its pixels. */
const openSide = 4 * squareSide

/**
 * A picture of this device, ready to be looked at; `close` it in the end.
 * @throws DOMException for what the browser cannot draw
 */
export async function openPicture(file: Blob): Promise<ImageBitmap> {
  const whole = await createImageBitmap(file)
  const share = openSide / Math.max(whole.width, whole.height)
  if (share >= 1) return whole
  const resized = await createImageBitmap(whole, {
    resizeWidth: Math.max(1, Math.round(whole.width * share)),
    resizeHeight: Math.max(1, Math.round(whole.height * share)),
    resizeQuality: 'high',
  })
  whole.close()
  return resized
}

/** What the frame shows of it, over the whole canvas. */
export function drawSquare(canvas: HTMLCanvasElement, picture: ImageBitmap, frame: Frame): void {
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const { left, top, side } = cutOf(picture, frame)
  // A JPEG knows no glass: what is seen through is white, not black.
  pen.fillStyle = '#ffffff'
  pen.fillRect(0, 0, squareSide, squareSide)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, left, top, side, side, 0, 0, squareSide, squareSide)
}

/** What the canvas shows, as it is sent. @throws DOMException where the browser cannot make a JPEG of it */
export async function jpegOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', 0.9)
  })
  if (blob === null) throw new DOMException('the browser cannot draw it', 'EncodingError')
  return blob
}

/** Bytes as a request carries them. */
export async function base64Of(blob: Blob): Promise<string> {
  let text = ''
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte)
  return btoa(text)
}
