/** Twice what is kept, so that nothing is drawn twice too small. */
const side = 512

/**
 * The middle of a picture of this device as a square JPEG: what is sent, and what the person sees before.
 * @throws DOMException for what the browser cannot draw
 */
export async function squareOf(file: Blob): Promise<Blob> {
  const drawn = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext('2d')
  if (pen !== null) {
    const cut = Math.min(drawn.width, drawn.height)
    // A JPEG knows no glass: what is seen through is white, not black.
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, side, side)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(drawn, (drawn.width - cut) / 2, (drawn.height - cut) / 2, cut, cut, 0, 0, side, side)
  }
  drawn.close()
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
