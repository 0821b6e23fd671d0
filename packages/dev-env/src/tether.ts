import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'

export type Tether = 'kernel' | 'shell'

export type TetheredOptions = SpawnOptions & {
  /** What the child gets when the process that started it dies, even by SIGKILL. */
  readonly lastSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** Words put before `setpriv`, such as `unshare …`: the tether must be tied after any change of identity. */
  readonly prefix?: readonly string[]
  /** Chosen by itself; tests name one. */
  readonly tether?: Tether
}

let kernelTether: boolean | undefined

/** Whether `setpriv --pdeathsig` is here (util-linux, so on every Debian). Asked once. */
function hasKernelTether(): boolean {
  kernelTether ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0
  return kernelTether
}

/**
 * Starts a child that does not outlive its parent. It gets a process group of its own, so that Ctrl-C in a terminal
 * reaches only the parent, which then stops its children in order.
 */
export function spawnTethered(command: string, args: readonly string[], options: TetheredOptions): ChildProcess {
  const { lastSignal, prefix = [], tether = hasKernelTether() ? 'kernel' : 'shell', ...rest } = options
  const tie = tether === 'kernel' ? ['setpriv', '--pdeathsig', lastSignal.slice('SIG'.length)] : []
  const [first = command, ...words] = [...prefix, ...tie, command, ...args]
  const child = spawn(first, words, { ...rest, detached: true })
  if (tether === 'shell' && child.pid !== undefined) watchFromShell(child, child.pid, lastSignal)
  return child
}

/** A shell that waits on a pipe held by this process: the pipe closes when this process dies, however it dies. */
function watchFromShell(child: ChildProcess, pid: number, signal: string): void {
  const script = `read -r _; kill -${signal.slice('SIG'.length)} ${String(pid)}`
  const watcher = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
  child.once('error', () => watcher.kill('SIGKILL'))
}
