import type { ReactNode } from 'react'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Landing } from '../features/landing/landing.tsx'
import { readKeptWallet } from '../lib/kept-wallet.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/')

/** What this is, for whoever comes for the first time; for everybody else the work. */
export function HomeScreen(): ReactNode {
  const search = route.useSearch()
  const { wallet } = useSession()
  const isKnown = typeof wallet === 'string' || (wallet === undefined && readKeptWallet() !== null)
  // The list was here once: an address with filters goes on to it.
  return isKnown || Object.keys(search).length > 0 ? <Navigate to="/find" search={search} replace /> : <Landing />
}
