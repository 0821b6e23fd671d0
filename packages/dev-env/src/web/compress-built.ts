import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const shrinking = /\.(?:js|mjs|css|svg|json|webmanifest|wasm)$/

/** Writes the smallest forms beside what is worth it, once for each build, so that no start pays for them. */
export async function compressBuilt(dist: string): Promise<void> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => shrinking.test(name))
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(dist, name))
      await writeFile(
        join(dist, `${name}.br`),
        await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      )
      await writeFile(join(dist, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
    }),
  )
}
