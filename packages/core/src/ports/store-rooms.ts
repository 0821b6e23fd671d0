/** Who belongs to a task at this moment. */
export interface RoomStore {
  /** Those of `wallets` that published the task, work on it, or applied and were neither withdrawn nor turned away. */
  taskMembers(taskId: string, wallets: readonly string[]): Promise<readonly string[]>
}
