import { hkdfSync } from 'node:crypto'

/** A key of the deployment's secret for one purpose alone. */
export function keyFor(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `ergon ${purpose} v1`, 32))
}
