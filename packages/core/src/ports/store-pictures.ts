/** Pictures of workers: one each, and none beside it. */
export interface PictureStore {
  /** Instead of the one before, which is gone then; answers its name, null where the account was deleted. */
  putPicture(executorId: string, bytes: Uint8Array, at: Date): Promise<string | null>
  /** False when there was none. */
  removePicture(executorId: string): Promise<boolean>
  /** The bytes behind a name, while anybody shows them. */
  picture(name: string): Promise<Uint8Array | null>
}
