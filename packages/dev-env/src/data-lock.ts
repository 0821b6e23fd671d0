import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Holds a data folder for this process alone. The lock is a name in the kernel's abstract socket space, so it is gone
 * the moment its holder is, however it died; the holder answers on it with its process id.
 */
export async function lockDataFolder(folder: string): Promise<AsyncDisposable> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = `\0ergon-data-${createHash('sha256').update(realpathSync(folder)).digest('hex')}`
  const server = createServer((asker) => {
    asker.on('error', () => undefined)
    asker.end(String(process.pid))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      if (error.code !== 'EADDRINUSE') reject(error)
      else
        void text(connect(name))
          .catch(() => '?')
          .then((pid) => {
            reject(new DataFolderInUse(folder, pid))
          })
    })
    server.listen(name, () => {
      resolve()
    })
  })
  server.unref()
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
      }),
  }
}

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
  constructor(folder: string, pid: string) {
    super(
      `${folder} is in use by process ${pid}. Stop that one ` +
        '(Ctrl-C in its terminal), or choose another folder with --data DIR.',
    )
  }
}
