/** Things to undo, last first. */
export type Undo = (() => Promise<void> | void)[]

/** Tries every step, and throws the first failure at the end. */
export async function unwind(undo: Undo): Promise<void> {
  const failures: unknown[] = []
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
