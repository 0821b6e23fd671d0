import { useEffect, useMemo, type ReactNode } from 'react'

type FilePreviewProps = {
  readonly file: { readonly blob: Blob; readonly contentType: string; readonly name: string }
  readonly alt: string
}

/** A file of this device: the picture where it is one that browsers draw, else its name. */
export function FilePreview({ file: { blob, contentType, name }, alt }: FilePreviewProps): ReactNode {
  const address = useMemo(() => URL.createObjectURL(blob), [blob])
  useEffect(
    () => () => {
      URL.revokeObjectURL(address)
    },
    [address],
  )
  return contentType.startsWith('image/') && contentType !== 'image/heic' ? (
    <img src={address} alt={alt} className="max-h-80 w-full rounded-xl bg-sunken object-contain" />
  ) : (
    <p className="font-semibold break-all">{name}</p>
  )
}
