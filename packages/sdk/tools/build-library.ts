/**
 * `npm run build:library -w packages/sdk -- contract|protocols [folder]`: one of the packages inside the client, for
 * whoever wants it alone.
 */
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileInto, manifestOf } from './build-package.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const compiled = (path: string, ending: string): string => path.replace(/\.ts$/, ending)

/** The manifest of the sources, with what was compiled in the place of each source. */
function publishedManifest(library: string): object {
  const { name, version, description, license, type, imports = {}, exports, dependencies } = manifestOf(library)
  return {
    name,
    version,
    description,
    license,
    type,
    engines: { node: '>=22.18' },
    sideEffects: false,
    exports: {
      ...Object.fromEntries(
        Object.entries(exports).map(([door, path]) => [
          door,
          { types: compiled(path, '.d.ts'), default: compiled(path, '.js') },
        ]),
      ),
      './package.json': './package.json',
    },
    imports: Object.fromEntries(
      // The native curve is an addon, and stays out as it does of the client (decision 0074).
      Object.entries(imports).map(([key, { node, default: portable }]) => [
        key,
        { ...(key === '#secp256k1' ? {} : { node: compiled(node, '.js') }), default: compiled(portable, '.js') },
      ]),
    ),
    files: ['src'],
    dependencies,
  }
}

function buildLibrary(library: string, folder: string): void {
  const whole = mkdtempSync(join(tmpdir(), 'ergon-library-'))
  try {
    compileInto(whole)
    rmSync(folder, { recursive: true, force: true })
    cpSync(join(whole, library, 'src'), join(folder, 'src'), { recursive: true })
  } finally {
    rmSync(whole, { recursive: true, force: true })
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(library), null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const [library = '', given] = process.argv.slice(2)
  if (library !== 'contract' && library !== 'protocols') throw new Error('name contract or protocols')
  const folder = resolve(given ?? join(root, '.cache', library))
  buildLibrary(library, folder)
  process.stdout.write(`${folder}\n`)
}
