import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const page =
  '<!doctype html><html lang="en"><head><meta name="ergon-settings" content="{}"><title>Ergon</title><script type="module" src="/assets/main-1a2b.js"></script></head><body><div id="root"></div></body></html>\n'
export const script = 'export const answer = 42\n'.repeat(200)
export const picture = Buffer.from('89504e470d0a1a0a0001020304', 'hex')

/** A folder like one that a build leaves. */
export function standInApp(
  change: Readonly<Record<string, string | Buffer>> = {},
): Disposable & { readonly dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'ergon-web-'))
  const files = {
    'index.html': page,
    'assets/main-1a2b.js': script,
    'sw.js': 'self.addEventListener("fetch", () => undefined)\n',
    'manifest.webmanifest': '{"name":"Ergon"}',
    'icons/icon-192.png': picture,
    '.stamp': 'not for anybody',
    ...change,
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content)
  }
  return {
    dir,
    [Symbol.dispose]: () => {
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
