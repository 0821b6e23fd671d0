import type { CapturedFile } from './file-step.tsx'

const quality = 0.9

/**
 * A picture as a JPEG, which a position can be written into; a JPEG stays as it is. @throws DOMException for what the
 * browser cannot draw
 */
export async function asJpeg(file: CapturedFile): Promise<CapturedFile> {
  if (file.contentType === 'image/jpeg') return file
  const drawn = await createImageBitmap(file.blob)
  const canvas = document.createElement('canvas')
  canvas.width = drawn.width
  canvas.height = drawn.height
  const pen = canvas.getContext('2d')
  if (pen !== null) {
    // A JPEG knows no glass: what is seen through is white, not black.
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, drawn.width, drawn.height)
    pen.drawImage(drawn, 0, 0)
  }
  drawn.close()
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', quality)
  })
  if (blob === null) throw new DOMException('the browser cannot draw it', 'EncodingError')
  return { blob, contentType: 'image/jpeg', name: `${file.name.replace(/\.[^.]*$/, '')}.jpg` }
}
