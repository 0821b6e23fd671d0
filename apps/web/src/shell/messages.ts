import { defineMessages } from '../lib/messages.ts'

export const shellMessages = defineMessages({
  en: {
    skip: 'Skip to the content', find: 'Find work', publish: 'Publish', myTasks: 'My tasks', work: 'My work', services: 'Services', more: 'Menu', activity: 'Activity', agents: 'Agents', leaderboard: 'Leaderboard', developers: 'API and agents', status: 'Status',
    earnings: 'Earnings', profile: 'Profile', account: 'Account', notifications: 'Notifications', disputes: 'Disputes', webhooks: 'Webhooks', myServices: 'My services', spend: 'Spending', admin: 'Operator',
    otherAccount: 'Your wallet shows another account now:', signInWithIt: 'Sign in with it', sessionOver: 'Your session has ended. What you typed is kept.', signIn: 'Sign in', signOut: 'Sign out', mainMenu: 'Main', language: 'Language', theme: 'Appearance', themeSystem: 'As the system', themeLight: 'Light', themeDark: 'Dark', offline: 'You are offline. What you enter is kept here.', footer: 'Open source. The money moves on chain, never through us.',
    ada: 'Ada (test)', bruno: 'Bruno (test)',
    signInLead: 'You sign a short text with your wallet. It moves no money and costs nothing.', signedInAs: 'Signed in as', welcome: 'You are signed in.', goOn: 'Go on',
    fund: 'Get test money', funded: '1,000 test USDC are on their way.',
  },
  es: {
    skip: 'Ir al contenido', find: 'Buscar trabajo', publish: 'Publicar', myTasks: 'Mis tareas', work: 'Mi trabajo', services: 'Servicios', more: 'Menú', activity: 'Actividad', agents: 'Agentes', leaderboard: 'Clasificación', developers: 'API y agentes', status: 'Estado',
    earnings: 'Ingresos', profile: 'Perfil', account: 'Cuenta', notifications: 'Avisos', disputes: 'Disputas', webhooks: 'Webhooks', myServices: 'Mis servicios', spend: 'Gastos', admin: 'Operador',
    otherAccount: 'Tu cartera muestra ahora otra cuenta:', signInWithIt: 'Entrar con ella', sessionOver: 'Tu sesión ha terminado. Lo que has escrito se conserva.', signIn: 'Iniciar sesión', signOut: 'Cerrar sesión', mainMenu: 'Principal', language: 'Idioma', theme: 'Apariencia', themeSystem: 'Como el sistema', themeLight: 'Claro', themeDark: 'Oscuro', offline: 'No hay conexión. Lo que escribas se guarda aquí.', footer: 'Código abierto. El dinero se mueve en la cadena, nunca por nosotros.',
    ada: 'Ada (prueba)', bruno: 'Bruno (prueba)',
    signInLead: 'Firmas un texto breve con tu cartera. No mueve dinero y no cuesta nada.', signedInAs: 'Sesión de', welcome: 'Has iniciado sesión.', goOn: 'Continuar',
    fund: 'Pedir dinero de prueba', funded: 'Llegan 1.000 USDC de prueba.',
  },
})
