type Terminal = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>

/** One line that says what is under way and for how long; it is wiped before anything else is written. */
export interface Progress {
  say(line: string): void
  clear(): void
}

/** Writes to a terminal only: a file or a pipe gets no half lines. */
export function createProgress(terminal: Terminal, now: () => number): Progress {
  if (!terminal.isTTY) return { say: () => undefined, clear: () => undefined }
  let current: { readonly line: string; readonly since: number; readonly timer: NodeJS.Timeout } | undefined
  const wipe = (): void => {
    terminal.write('\r\u001B[K')
  }
  const draw = (): void => {
    if (current === undefined) return
    const seconds = Math.round((now() - current.since) / 1_000)
    wipe()
    terminal.write(`  ${current.line} …${seconds === 0 ? '' : ` ${String(seconds)} s`}`)
  }
  const clear = (): void => {
    if (current === undefined) return
    clearInterval(current.timer)
    current = undefined
    wipe()
  }
  return {
    say(line) {
      // The same thing still lasts: its seconds go on.
      const since = current?.line === line ? current.since : now()
      if (current !== undefined) clearInterval(current.timer)
      current = { line, since, timer: setInterval(draw, 1_000).unref() }
      draw()
    },
    clear,
  }
}
