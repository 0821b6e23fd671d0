import type { ReactNode } from 'react'
import { Navigate } from '@tanstack/react-router'

/** A session has a screen of its own: nothing of it is applied for, handed in or reviewed. */
export function ToSession({ id, side }: { readonly id: string; readonly side: 'buyer' | 'worker' }): ReactNode {
  return <Navigate to="/sessions" search={side === 'worker' ? { role: side, id } : { id }} hash replace />
}
