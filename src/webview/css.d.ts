/** The bundler puts styles beside the script. */
declare module '*.css';
