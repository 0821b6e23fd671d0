export type AnswerWatch = Disposable & {
  /** Since the last answer, or since it began to ask, milliseconds. */
  silentMs(): number
  /** Settles when it has asked once, also in vain. */
  readonly begun: Promise<void>
}

/**
 * Asks a database again and again, one question at a time, and knows for how long it has not answered. The question
 * brings its own patience. `onSilence` is told of each that was in vain.
 */
export function watchAnswers(
  ask: () => Promise<unknown>,
  { everyMs = 2_000, onSilence = () => undefined }: { readonly everyMs?: number; readonly onSilence?: () => void } = {},
): AnswerWatch {
  let answeredAt = performance.now()
  let isAsking = false
  const look = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    try {
      await ask()
      answeredAt = performance.now()
    } catch {
      // Silence is what this reports.
      onSilence()
    }
    isAsking = false
  }
  const begun = look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    silentMs: () => performance.now() - answeredAt,
    begun,
    [Symbol.dispose]: () => {
      clearInterval(timer)
    },
  }
}
