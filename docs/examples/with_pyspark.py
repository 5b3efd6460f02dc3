"""Jobs counted with Spark in local mode, over a Parquet export: ``python with_pyspark.py jobs.parquet``.

A file or a folder of parts. It needs Java 17 or later; the same lines run on a cluster.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

settings = {
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "4",
}
spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
jobs = spark.read.parquet(sys.argv[1])

rows, ids = jobs.select(f.count("*"), f.count_distinct("id")).first()
print(f"{rows} rows, {ids} ids")

# A date has a column of timestamps beside its text, and a list one of texts.
years = jobs.select(f.year("modified_at_time").alias("year")).dropna().groupBy("year").count().orderBy("year")
for year, count in years.collect():
    print(year, count)
items = jobs.select(f.explode("departments_items").alias("item"))
print(f"{items.select(f.count_distinct('item')).first()[0]} departments")
spark.stop()
