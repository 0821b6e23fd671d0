/** What a file says about itself. Everything in it is a claim of whoever made the file, the hashes excepted. */
export type FileFacts = {
  readonly sha256: string
  /** By its first bytes, whatever was announced. */
  readonly contentType: string
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  /** Null for what is no picture, cannot be opened, or has nothing on it. Hashes are 16 hex digits. */
  readonly image: { readonly phash: string; readonly variants: readonly string[] } | null
  /** Null when the kind of file carries none that is read. */
  readonly exif: ExifFacts | null
  readonly aiMarkers: readonly string[]
  /** `busy`: nothing is wrong with the file, nobody had time to look at it. */
  readonly trouble: null | 'timeout' | 'unreadable' | 'too_large' | 'busy'
}

export type ExifFacts = {
  readonly present: boolean
  readonly make: string | null
  readonly model: string | null
  readonly software: string | null
  /** Null without a zone: a wall clock somewhere is no moment. */
  readonly takenAt: Date | null
  readonly lat: number | null
  readonly lng: number | null
}
