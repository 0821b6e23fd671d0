/** The bytes of a file in one content coding; each has a tag of its own, because strong tags are of bytes (RFC 9110 §8.8.3). */
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

/** The app as it was at boot, in memory; by path, `/index.html` among them. */
export type WebApp = { readonly files: ReadonlyMap<string, WebFile>; readonly index: WebFile }
