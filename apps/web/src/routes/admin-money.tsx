import type { ReactNode } from 'react'
import { Unfinished } from '../components/unfinished.tsx'

export function AdminMoneyScreen(): ReactNode {
  return <Unfinished />
}
