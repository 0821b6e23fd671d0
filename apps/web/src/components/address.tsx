import type { ReactNode } from 'react'
import { shortAddress } from '../lib/short-address.ts'

/** A wallet, transaction or hash, shortened to the eye and whole to the reader and the pointer. */
export function Address({ value, className = '' }: { readonly value: string; readonly className?: string }): ReactNode {
  return (
    <span title={value} className={`numbers font-mono text-[0.92em] whitespace-nowrap ${className}`}>
      <span aria-hidden="true" className="address-short">
        {shortAddress(value)}
      </span>
      <span className="address-whole visually-hidden">{value}</span>
    </span>
  )
}
