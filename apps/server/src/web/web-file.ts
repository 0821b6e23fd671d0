/**
 * The bytes of a file in one content coding; each has a tag of its own, because strong tags are of bytes (RFC 9110
 * §8.8.3).
 */
export type Representation = { readonly etag: string; readonly body: Buffer }

export type WebFile = {
  readonly contentType: string
  /** Its name changes with its content, so whoever has it never asks again. */
  readonly isImmutable: boolean
  readonly identity: Representation
  /** Null where compressing gains nothing. */
  readonly br: Representation | null
  readonly gzip: Representation | null
}

/** The app as it was at boot, in memory. */
export type WebApp = {
  /** By path, `/index.html` among them. */
  readonly files: ReadonlyMap<string, WebFile>
  /** The page for a path that a person opened; filtered by what follows `?`. */
  readonly pageFor: (path: string, isFiltered: boolean) => WebFile
  /** Sources of the Content-Security-Policy for what is in the page itself. */
  readonly styleSources: readonly string[]
}
