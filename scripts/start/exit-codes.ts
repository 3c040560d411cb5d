/** Of a process that cannot serve its database: starting it again would change nothing. */
export const EXIT_MISCONFIGURED = 78;
