import { spawn } from 'node:child_process'

/** Hands a link to the system's browser; a machine without one leaves it at that, since the link is printed anyway. */
export function openInBrowser(link: string): void {
  const [command, ...words] =
    process.platform === 'darwin'
      ? ['open', link]
      : process.platform === 'win32'
        ? ['explorer', link]
        : ['xdg-open', link]
  spawn(command ?? 'xdg-open', words, { stdio: 'ignore', detached: true })
    .once('error', () => undefined)
    .unref()
}
