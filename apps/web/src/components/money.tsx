import type { ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'

/** An amount of dollars in stablecoin. */
export function Money({ usd, className = '' }: { readonly usd: number; readonly className?: string }): ReactNode {
  return <span className={`numbers font-semibold text-money ${className}`}>{useFormat().usd(usd)}</span>
}
