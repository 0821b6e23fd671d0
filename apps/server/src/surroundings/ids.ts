import { randomUUID } from 'node:crypto'
import type { Ids } from '@ergon/core'

/** UUIDv7 (RFC 9562 §5.7): ids made later sort later, so that a page stays in order and an index grows at its end. */
export function createIds(now: () => Date): Ids {
  return {
    next() {
      const time = now().getTime().toString(16).padStart(12, '0')
      const random = randomUUID()
      return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
    },
  }
}
