import type { Extension } from '../tasks/extension.ts'

/** Deadlines that were put off (decision 0237): a handful a task. */
export interface ExtensionStore {
  /** Oldest first. */
  extensions(taskId: string): Promise<readonly Extension[]>
}

export interface ExtensionTx {
  extensionsOf(taskId: string): Promise<readonly Extension[]>
  insertExtension(extension: Extension): Promise<void>
}
