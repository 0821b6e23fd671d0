import { defineMessages } from '../../lib/messages.ts'

export const adminNavMessages = defineMessages({
  en: {
    nav: 'Operator screens',
    overview: 'Overview',
    tasks: 'Tasks',
    workers: 'Workers and bans',
    reports: 'Reports',
    money: 'Money and fees',
    settings: 'Settings',
    audit: 'Audit log',
  },
  es: {
    nav: 'Pantallas del operador',
    overview: 'Resumen',
    tasks: 'Tareas',
    workers: 'Trabajadores y vetos',
    reports: 'Avisos',
    money: 'Dinero y comisiones',
    settings: 'Ajustes',
    audit: 'Registro de auditoría',
  },
})
