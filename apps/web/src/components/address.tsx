import type { ReactNode } from 'react'

/** A wallet, transaction or hash, shortened to the eye and whole to the reader and the pointer. */
export function Address({ value, className = '' }: { readonly value: string; readonly className?: string }): ReactNode {
  return (
    <span title={value} className={`numbers font-mono text-[0.92em] whitespace-nowrap ${className}`}>
      <span aria-hidden="true">{value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value}</span>
      <span className="visually-hidden">{value}</span>
    </span>
  )
}
