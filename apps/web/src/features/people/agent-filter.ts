import type { Search } from '../../lib/search.ts'

export type AgentFilter = {
  readonly capability: string | undefined
  readonly min: number | undefined
  /** No capability is written so: nobody has it, and the directory is not asked. */
  readonly fitsNobody: boolean
}

/**
 * What an address or a form asks of the directory, as the service takes it: small letters without accents, several
 * words as one.
 */
export function readAgentFilter(asked: Search): AgentFilter {
  const typed = (asked['capability'] ?? '').trim()
  const capability = typed
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^a-z0-9_-]/g, '')
    .slice(0, 50)
  const min = /^\d{1,3}$/.test(asked['min'] ?? '') ? Number(asked['min']) : undefined
  return {
    capability: capability === '' ? undefined : capability,
    min: min === undefined || min < 1 || min > 100 ? undefined : min,
    fitsNobody: typed !== '' && capability === '',
  }
}
