// The ports that a host rule without a port allows.

// Databases, caches and control ports above 1024, to which a page could send requests.
const SERVICE_PORTS = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 4222, 4369, 5432, 5433, 5672, 5984, 6379, 6380, 6443,
  7000, 7001, 7199, 7474, 7687, 8086, 9000, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 25672, 26257,
  27017, 27018, 28015, 50000, 61616,
])

export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !SERVICE_PORTS.has(port))
