/** What becomes of a file before anybody sees it as the picture of a person (decision 0252). */
export interface PictureMaker {
  /**
   * A square without metadata, small enough to be shown beside a name; null when the bytes are no picture that can be
   * opened in time. @throws SERVICE_BUSY
   */
  square(bytes: Uint8Array, wallet: string): Promise<Uint8Array | null>
}
