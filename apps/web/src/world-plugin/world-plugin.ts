import type { Plugin } from 'vite'
import { townRows } from '../towns-plugin/towns-plugin.ts'
import { worldFile } from './world-file.ts'

/** Where the service finds the world in the built app. */
const fileName = 'world.pmtiles'

/** Lays the world at low zoom beside the app; the service hands out its tiles (decision 0226). */
export function world(): Plugin {
  return {
    name: 'ergon:world',
    apply: 'build',
    async buildStart() {
      this.emitFile({ type: 'asset', fileName, source: await worldFile(await townRows()) })
    },
  }
}
