import type { ChildProcess } from 'node:child_process'

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Sends `signal`, waits for the end, and after `graceMs` sends SIGKILL. Answers at once for a child that has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve()
    }),
  )
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(timer)
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
